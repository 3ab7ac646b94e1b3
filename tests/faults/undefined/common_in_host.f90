! told at 13:14: Variable 'n' is used before it has a value
! flags: -fcheck=undefined
program fault
  integer :: n, k
  common /c/ n, k
  call first
  call second
contains
  subroutine first
    k = 2
  end subroutine
  subroutine second
    print *, n + k
  end subroutine
end program
