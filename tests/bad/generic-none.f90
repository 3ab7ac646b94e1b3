module m
  interface g
    module procedure a
  end interface
contains
  subroutine a(i)
    integer :: i
    i = 1
  end subroutine
end module
program p
  use m
  call g(1.0)
end program
