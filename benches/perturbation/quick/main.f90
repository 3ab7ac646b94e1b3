program sortins
  use sorts
  implicit none
  integer :: a(1000), b(1000), i, r, k
  k = 5
  do i = 1, 1000
    k = mod(k*75 + 74, 65537)
    a(i) = k
  end do
  do r = 1, 1200
    b = a
    if (mod(r, 4) == 0) call insertion(b)
    call quick(b)
    b = cshift(a, mod(r, 900))
    call quick(b)
    a(mod(r, 1000) + 1) = r
  end do
  print *, b(1), b(500), b(1000)
end program
