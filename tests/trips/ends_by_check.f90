! The check of a subscript ends the run in the third entry of the inner loop.
program p
  implicit none
  integer :: a(20), idx(20), i, j, s, hits
  do i = 1, 20
    idx(i) = i
    a(i) = 0
  end do
  idx(13) = 25
  s = 0; hits = 0
  do j = 1, 3
    do i = 1, 20 - j
      if (mod(i, 3) == 0) then
        s = s + i * j
      else
        hits = hits + 1
      end if
      if (j == 3) a(idx(i)) = s
      if (mod(i, 4) == 1) hits = hits + 2
    end do
  end do
  print *, s, hits, a(3)
end program
