! told at 13:14: Index '7' of dimension 1 of array 'w' above upper bound of 5
program fault
  integer :: i, v(10)
  common /store/ v
  do i = 1, 10
    v(i) = i
  end do
  call s(7)
end program
subroutine s(k)
  integer :: k, w(5), rest(5)
  common /store/ w, rest
  print *, w(k)
end subroutine
