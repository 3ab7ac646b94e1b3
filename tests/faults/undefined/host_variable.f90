! told at 7:12: Variable 'n' is used before it has a value
! flags: -fcheck=undefined
program fault
  integer :: n, m
  m = 4
  call set(m > 5)
  print *, n
contains
  subroutine set(really)
    logical, intent(in) :: really
    if (really) n = 1
  end subroutine
end program
