! told at 13:7: 'total' is defined, and 'k', which is the same storage, is used at host_variable.f90:13:23
! flags: -fcheck=alias
program fault
  integer :: total
  total = 7
  call add(total)
  print *, total
contains
  subroutine add(k)
    integer, intent(in) :: k
    integer :: i
    do i = 1, 2
      total = total + k
    end do
  end subroutine
end program
