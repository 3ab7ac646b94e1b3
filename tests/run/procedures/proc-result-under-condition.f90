! The result of a function that a loop assigns under a condition keeps its value in iterations that do not.
program p
  real, external :: stepped, marked
  call table(stepped)
  call table(marked)
end program
subroutine table(f)
  real, external :: f
  integer :: n
  do n = 0, 24, 4
    print *, n, f(n)
  end do
end subroutine
real function stepped(n)
  integer, intent(in) :: n
  integer :: i, k
  stepped = 1.0
  i = 0
  do while (i < n)
    i = i + 1
    do k = 1, i
      if (k >= i + 2) stepped = 1.25
    end do
  end do
end function
real function marked(n)
  integer, intent(in) :: n
  integer :: k, a(24)
  a = 7
  a(10) = 1
  marked = 1.0
  do k = 1, n
    if (a(k) < 3) marked = 4.0
  end do
end function
