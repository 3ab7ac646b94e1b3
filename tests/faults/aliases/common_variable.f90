! told at 14:9: 'n' is used, and 'k', which is the same storage, is defined at common_variable.f90:13:5
! flags: -fcheck=alias
program fault
  integer :: count
  common /state/ count
  count = 4
  call step(count)
contains
  subroutine step(n)
    integer, intent(in) :: n
    integer :: k
    common /state/ k
    k = k + 1
    if (n > 4) print *, 'more'
  end subroutine
end program
