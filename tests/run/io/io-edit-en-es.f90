! The edit descriptors EN and ES.
program edit_en
  real(8) :: v(9) = [0d0, 1d0, 12d0, 999.96d0, 1000d0, -123456d0, 0.00123d0, 9.9995d-4, 1d-99]
  integer :: i
  do i = 1, size(v)
    print '(en12.3,es12.3,en12.1,es10.1,en15.3e3,es15.3e4,en9.0,es8.0)', v(i), v(i), v(i), v(i), v(i), v(i), v(i), v(i)
  end do
  print '(2pen12.3,2pes12.3)', v(2), v(2)
  print '(en0.2,1x,es0.2)', v(6), v(6)
  print '(en7.3,es7.3)', v(6), v(6)
  print '(en12.3e1,es12.3e1)', 1d-9, 1d-10
end program
