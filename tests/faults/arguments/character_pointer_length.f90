! told at 9:19: Actual string length does not match the declared one for dummy argument 'p' (8/5)
program fault
  call make(8)
contains
    subroutine make(n)
      integer :: n
      character(n), pointer :: label
      nullify(label)
      call attach(label)
    end subroutine
    subroutine attach(p)
      character(5), pointer :: p
      allocate(p)
      p = 'fives'
    end subroutine
end program
