! told at 11:16: Optional argument 'n' is not present
program fault
  call outer
contains
    subroutine outer(n)
      integer, intent(in), optional :: n
      call inner(n)
    end subroutine
    subroutine inner(n)
      integer, intent(in), optional :: n
      print *, n
    end subroutine
end program
