# A row of the vertical axis for each label, runs side by side within it.
set yrange [labels + 0.5:0.5]
set ytics ()
do for [k=1:labels] { set ytics add (labeltic[k] k) }
set grid noytics
do for [k=1:labels-1] { set arrow from graph 0, first k + 0.5 to graph 1, first k + 0.5 nohead lc rgb '#808080' dt 3 lw 0.5 }
y(k, i) = k + (i - (runs + 1) / 2.0) * 0.8 / runs
