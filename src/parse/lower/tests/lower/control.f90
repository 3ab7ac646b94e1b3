! IF chains, SELECT CASE, DO in its forms, jumps.
subroutine control(n, x, c)
  integer :: n, i, j
  real :: x, t
  character(*) :: c
  if (n == 0) then
    x = 0
  else if (n < 0) then
    x = -1
  else
    x = 1
  end if
  select case (n)
  case (:0)
    j = 0
  case (1, 3:5)
    j = 1
  case default
    j = 2
  end select
  select case (c)
  case ('yes', 'y')
    j = 3
  case ('a':'f')
    j = 4
  end select
  outer: do i = n, 1, -1
    do while (x < 10)
      x = x * 2
      if (x > 5) cycle outer
      if (x < 0) exit outer
    end do
  end do outer
  do t = 0.0, 1.0, 0.25
    x = x + t
  end do
10 continue
  if (x - 1) 10, 20, 30
20 x = 0
30 goto (10, 20) j
end subroutine
