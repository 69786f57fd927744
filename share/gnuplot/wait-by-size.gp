big = m2 > m3 ? m2 : m3
s(v) = v < 1 ? 1 : v
set logscale x
set xrange [0.8:big > 10 ? big * 1.3 : 12]
set xlabel 'wait from submit to first start'
set ylabel 'GPUs asked for'
plot for [i=1:runs] '$d'.i using (s($2)):(y($1, i)):(s($3) - s($2)):(0) with vectors nohead lw 2 lc rgb colour[i] notitle, \
    for [i=1:runs] '$d'.i using (s($2)):(y($1, i)) with points pt 7 ps 0.8 lc rgb colour[i] title name[i]
