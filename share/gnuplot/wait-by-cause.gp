array tint[8] = ['#CC79A7', '#0072B2', '#E69F00', '#009E73', '#F0E442', '#D55E00', '#56B4E9', '#808080']
set yrange [runs + 0.6:0.4]
set ytics ()
do for [i=1:runs] { set ytics add (nametic[i] i) }
set grid noytics
by = m4 > 7200 ? 3600.0 : 1.0
set xrange [0:m4 > 0 ? m4 / by * 1.03 : 1]
set xlabel by > 1 ? 'hours waited by all jobs together' : 'seconds waited by all jobs together'
plot for [c=0:7] for [i=1:runs] '$d'.i using ($2 == c && $4 > $3 ? $3/by : NaN):(i):($3/by):($4/by):(i - 0.36):(i + 0.36) with boxxyerror fs solid 1 noborder lc rgb tint[c+1] title (i == 1 ? causes[c+1] : '')
