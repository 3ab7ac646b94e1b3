! Loops whose statements can be separated, and cycles that cannot.
program hard_distribute
  implicit none
  integer :: a(0:11), b(0:11), c(0:11), i, t
  a = 1
  b = 2
  c = 3
  do i = 1, 10
    a(i) = b(i) + i
    b(i + 1) = c(i)
    c(i) = a(i - 1) * 2
  end do
  print *, a, b, c
  do i = 1, 10
    a(i) = mod(b(i - 1) + a(i), 97)
    b(i) = mod(a(i) * 2, 89)
  end do
  print *, a, b
  do i = 1, 10
    t = a(i)
    a(i) = b(11 - i)
    b(11 - i) = t
  end do
  print *, a, b, t
  do i = 1, 10
    if (a(i) > 40) then
      c(i) = a(i)
    else
      c(i) = c(i - 1)
    end if
    a(i + 1) = mod(a(i + 1) + c(i), 83)
  end do
  print *, c
end program
