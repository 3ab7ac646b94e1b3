! Conditionals without content behind loops that are unrolled, peeled or guarded: what they count depends on what the loop
! leaves in its variable, which nothing else needs.
program hard_last_values
  implicit none
  integer :: k
  double precision :: a(9), s
  common /c/ a, s
  a = 1
  s = 0
  do k = 0, 3
    call unrolled(k)
    call peeled(k, k + 2)
    call guarded(k, k - 1, 2d0)
    call twice(k)
  end do
  print *, s, a
end program
subroutine unrolled(k)
  implicit none
  integer :: l, k
  double precision :: a(9), s
  common /c/ a, s
  do l = 0, 4
    s = s + 1
  end do
  if (l > k + 2) then
  end if
end subroutine
subroutine peeled(k, n)
  implicit none
  integer :: l, k, n
  double precision :: a(9), s
  common /c/ a, s
  do l = 1, n
    if (l == n) then
      a(l) = a(l) + 1
    else
      a(l) = a(l) - 1
    end if
  end do
  if (l > n) then
  end if
  if (l == 5) then
  end if
end subroutine
subroutine guarded(k, n, x)
  implicit none
  integer :: l, k, n
  double precision :: a(9), s, x
  common /c/ a, s
  do l = 2, n
    a(l) = a(l) + x*x + s/x
  end do
  if (l > 2) then
  end if
end subroutine
subroutine twice(k)
  implicit none
  integer :: l, k
  double precision :: a(9), s
  common /c/ a, s
  do l = 1, 3
    a(l) = a(l) + k
  end do
  if (l > k + 2) then
  end if
  do l = 2, 7
    s = s + l
  end do
  if (l > 2*k + 4) then
  else
  end if
  if (l == 8) then
  end if
end subroutine
