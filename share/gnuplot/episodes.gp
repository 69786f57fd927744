set yrange [runs + 0.6:0.4]
set ytics ()
do for [i=1:runs] { set ytics add (nametic[i] i) }
set grid noytics
set xrange [0:end]
set xlabel 'time, '.unitname
kind(v, k) = v == k ? 1 : NaN
till(v) = v < 0 ? end : v / unit
plot for [i=1:runs] '$d'.i using ($2/unit*kind($1, 0)):(i):($2/unit):($3/unit):(i - 0.38):(i - 0.02) with boxxyerror fs solid 1 lc rgb orange title (i == 1 ? 'hoarding' : ''), \
    for [i=1:runs] '$d'.i using ($2/unit*kind($1, 1)):(i):($2/unit):(till($3)):(i + 0.02):(i + 0.38) with boxxyerror fs solid 1 lc rgb red title (i == 1 ? 'deadlock' : '')
