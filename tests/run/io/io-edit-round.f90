! RU, RD, RZ, RN, RC, RP and ROUND=.
program edit_round
  real(8) :: v(4) = [1.25d0, -1.25d0, 2.35d0, -0.05d0]
  character(20) :: mode
  print '(ru,4f7.1)', v
  print '(rd,4f7.1)', v
  print '(rz,4f7.1)', v
  print '(rn,4f7.1)', v
  print '(rc,4f7.1)', v
  print '(rp,4f7.1)', v
  print '(ru,2e10.1,rd,2e10.1)', v
  write (*, '(4f7.1)', round='up') v
  write (*, '(4f7.1)', round='down') v
  write (*, '(4f7.1)', round='zero') v
  write (*, '(4f7.1)', round='nearest') v
  write (*, '(4f7.1)', round='compatible') v
  open (13, status='scratch', round='up')
  inquire (13, round=mode)
  print *, trim(mode)
  write (13, '(f6.0)') 1.1
  rewind 13
  read (13, '(a)') mode
  print *, mode
end program
