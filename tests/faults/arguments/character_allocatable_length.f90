! told at 8:18: Actual string length does not match the declared one for dummy argument 'list' (3/4)
program fault
  call make(3)
contains
    subroutine make(n)
      integer :: n
      character(n), allocatable :: names(:)
      call enter(names)
    end subroutine
    subroutine enter(list)
      character(4), allocatable :: list(:)
      allocate(list(2))
      list = 'four'
    end subroutine
end program
