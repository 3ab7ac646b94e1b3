! --passes=dce at l, discharged
subroutine k1()
  implicit none
  integer :: ix(9), m, n
  common /c1/ ix
  n = 2
  ix(n) = 5
  select case (n)
  case (1)
    m = ix(n) - 5
    if (m > 4) then
    end if
  case (2)
    m = ix(n) + 2
    if (m > 3) then
    end if
  end select
end subroutine
