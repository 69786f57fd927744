set logscale x
set xrange [1:m1 > 10 ? m1 * 1.2 : 12]
set yrange [0:100]
set xlabel 'wait from submit to first start'
set ylabel 'jobs, %'
plot for [i=1:runs] '$d'.i using 1:2 with steps lw 2.2 lc rgb colour[i] dt dash[i] title name[i]
