! Arrays of characters: whole assignment, sections, sorting, in COMMON.
program char_arrays
  implicit none
  character(len=5) :: w(5), t
  common /words/ w
  integer :: i, j
  w = (/ 'pear ', 'apple', 'fig  ', 'kiwi ', 'date ' /)
  do i = 2, 5
    t = w(i)
    j = i - 1
    do while (j >= 1)
      if (w(j) <= t) exit
      w(j + 1) = w(j)
      j = j - 1
    end do
    w(j + 1) = t
  end do
  print *, w
  w(2:4) = '-----'
  w(:)(3:3) = '+'
  print *, w
  call show
end program
subroutine show
  implicit none
  character(len=1) :: c(25)
  common /words/ c
  print *, c(1:25:5), c(3), c(13)
end subroutine
