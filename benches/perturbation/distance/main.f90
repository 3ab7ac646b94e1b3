program dp
  implicit none
  integer, parameter :: n = 800
  character(len=n) :: a, b
  integer :: d(0:n, 0:n), i, j, c, k, r, s
  k = 3
  do i = 1, n
    k = mod(k*75 + 74, 65537)
    a(i:i) = achar(97 + mod(k, 4))
    k = mod(k*75 + 74, 65537)
    b(i:i) = achar(97 + mod(k, 4))
  end do
  s = 0
  do r = 1, 150
    do i = 0, n
      d(i, 0) = i
      d(0, i) = i
    end do
    do j = 1, n
      do i = 1, n
        if (a(i:i) == b(j:j)) then
          c = 0
        else
          c = 1
        end if
        d(i, j) = min(d(i - 1, j) + 1, d(i, j - 1) + 1, d(i - 1, j - 1) + c)
      end do
    end do
    s = s + d(n, n)
    a(mod(r, n) + 1:mod(r, n) + 1) = 'a'
  end do
  print *, s
end program
