program chk
  implicit none
  integer :: k, which
  real, allocatable :: a(:)
  read *, which
  select case (which)
  case (1)
    call once(3)
  case (2)
    call steps(0)
  case (3)
    k = 2
    a(k) = 1.0
  end select
  print *, 'fine'
contains
  subroutine steps(s)
    integer, intent(in) :: s
    integer :: i, n
    n = 0
    do i = 1, 3, s
      n = n + i
    end do
    print *, n
  end subroutine
end program
subroutine once(n)
  integer, intent(in) :: n
  print *, n
  if (n > 2) call other(n - 1)
end subroutine
subroutine other(n)
  integer, intent(in) :: n
  call once(n)
end subroutine
