# All runs over each other, with one axis of time.
set lmargin at screen 0.09
set rmargin at screen 0.97
set xrange [0:end]
set yrange [0:m2 > 0 ? m2 * 1.05 : 1]
set xlabel 'time, '.unitname
plot for [i=1:runs] '$d'.i using ($1/unit):2 with steps lw 1.6 lc rgb colour[i] dt dash[i] title name[i]
