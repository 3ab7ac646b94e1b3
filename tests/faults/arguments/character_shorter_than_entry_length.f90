! told at 10:21: Actual string length is shorter than the declared one for dummy argument 'line' (4/6)
program fault
  character(4) :: word = 'word'
  call widen(word)
contains
    subroutine widen(text)
      character(*) :: text
      call fill(text, len(text) + 2)
    end subroutine
    subroutine fill(line, n)
      integer :: n
      character(n) :: line
      line(1:1) = '*'
    end subroutine
end program
