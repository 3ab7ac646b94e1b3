! MOD has the sign of its first argument, MODULO that of the second.
program num_mod_modulo
  implicit none
  integer :: i, j
  do i = -7, 7, 7
    do j = -3, 3, 6
      print *, i, j, mod(i, j), modulo(i, j), i / j
    end do
  end do
  print *, mod(-7.5d0, 2.0d0), modulo(-7.5d0, 2.0d0), amod(7.5, -2.0), modulo(7.5, -2.0)
  print *, mod(5_8, 3_8), mod(-127_1, 7_1), modulo(8, 4), modulo(-8, 4)
  print *, mod((/ 5, -5, 6 /), 4), modulo((/ 5, -5, 6 /), 4)
end program
