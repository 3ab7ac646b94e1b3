! Leaf calls with expressions, aliases of loop variables, and early returns.
program hard_inline_arguments
  implicit none
  integer :: i, j, s, a(5)
  integer, external :: twice, clamp
  s = 0
  do i = 1, 5
    a(i) = twice(i + 1) - twice((i)) + clamp(i * 3, 4, 10)
    j = i
    call advance(j, i - 1)
    call advance(a(i), a(j - i + 1))
    s = s + j
  end do
  print *, a, s, i
  s = clamp(clamp(7, 1, 5), 3, 4) + clamp(-1, 0, 9)
  print *, s
  do i = 1, 3
    s = 0
    call nest(i, s)
    print *, i, s
  end do
end program
integer function twice(n)
  implicit none
  integer :: n
  twice = 2 * n
end function
integer function clamp(x, low, high)
  implicit none
  integer :: x, low, high
  clamp = low
  if (x < low) return
  clamp = high
  if (x > high) return
  clamp = x
end function
subroutine advance(x, by)
  implicit none
  integer :: x, by, i
  do i = 1, mod(abs(by), 4)
    x = x + 1
  end do
end subroutine
subroutine nest(n, total)
  implicit none
  integer :: n, total, i
  integer, external :: twice
  do i = n, 1, -1
    total = total * 10 + twice(i)
    if (total > 500) exit
  end do
end subroutine
! aliases: an element is passed twice.
