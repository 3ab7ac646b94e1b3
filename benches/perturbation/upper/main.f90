program letters3
  use text
  implicit none
  character(len=120) :: lines(100), w
  integer :: i, j, n, k
  n = 99
  do j = 1, 100
    do i = 1, 120
      n = mod(n*75 + 74, 65537)
      if (mod(n, 7) == 0) then
        lines(j)(i:i) = ' '
      else
        lines(j)(i:i) = achar(97 + mod(n, 26))
      end if
    end do
  end do
  k = 0
  do i = 1, 12000
    do j = 1, 100
      w = lines(j)
      k = k + words(w)
      if (mod(i, 4) == 0) call upper(w)
      if (w(1:1) == 'A') k = k + 1
    end do
  end do
  print *, k
end program
