big = m2 > m3 ? m2 : m3
set xrange [0:big > 0 ? big * 1.08 : 1]
set xlabel 'share of the cluster, %'
plot for [i=1:runs] '$d'.i using 3:(y($1, i)):($2 - $3):(0) with vectors nohead lw 1 lc rgb colour[i] notitle, \
    for [i=1:runs] '$d'.i using 3:(y($1, i) - 0.36 / runs):(0):(0.72 / runs) with vectors nohead lw 2.5 lc rgb colour[i] notitle, \
    for [i=1:runs] '$d'.i using 2:(y($1, i)) with points pt 7 ps 0.55 lc rgb colour[i] title name[i]
