  most = m2 + m3 + m4 > 0 ? m2 + m3 + m4 : 1
  set yrange [0:most * 1.08]
  set ytics ceil(most / 2.0)
  set ylabel 'GPUs'
  plot '$d'.i using ($1/unit):($2+$3+$4) with fillsteps lc rgb grey title 'not there', \
      '$d'.i using ($1/unit):($2+$3) with fillsteps lc rgb orange title 'drained', \
      '$d'.i using ($1/unit):2 with fillsteps lc rgb red title 'failed'
}
