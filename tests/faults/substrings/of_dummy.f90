! told at 10:16, where i = 6: Substring out of bounds: upper bound (6) of 'word' exceeds string length (5)
program fault
  character(5) :: w = 'abcde'
  call s(w)
contains
    subroutine s(word)
      character(*) :: word
      integer :: i
      do i = 1, 6
        word(i:i) = 'x'
      end do
      print *, word
    end subroutine
end program
