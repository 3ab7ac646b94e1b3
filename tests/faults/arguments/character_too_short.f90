! told at 8:14: Actual string length is shorter than the declared one for dummy argument 'x' (3/5)
program fault
  character(3) :: w = 'abc'
  call s(w)
contains
    subroutine t(w)
      character(*) :: w
      call u(w)
    end subroutine
    subroutine u(x)
      character(5) :: x
      x = 'hello'
    end subroutine
    subroutine s(w)
      character(*) :: w
      call t(w)
    end subroutine
end program
