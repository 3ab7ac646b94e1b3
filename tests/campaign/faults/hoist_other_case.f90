! -O3 at l, discharged
subroutine k1()
  implicit none
  integer :: i, n, a0(3)
  call fill_i4(a0, 3, 3)
  n = a0(1)
  do i = 1, 4
    select case (n)
    case (-100:100)
      if (i > n) then
      end if
    case (101:)
      if (i < n) then
      end if
    case default
      if (i == n) then
      end if
    end select
  end do
  call show_i4(1, a0, 3)
end subroutine
