! told at 4:10: shorter than
program fault
  character(3) :: w = 'abc'
  call u(w)
contains
    subroutine u(x)
      character(5) :: x
      x = 'hello'
    end subroutine
end program
