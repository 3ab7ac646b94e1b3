! told at 7:14: Optional argument 'x' is not present
program fault
  call s
contains
    subroutine s(x)
      integer, optional :: x
      call t(x)
    end subroutine
    subroutine t(y)
      integer :: y
      y = 1
    end subroutine
end program
