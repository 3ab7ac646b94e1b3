! What an arm of SELECT counts by a string that the other part of a split loop changes is counted there.
program count_select_split
  implicit none
  integer :: a(10, 10), i, j, n
  character(4) :: c
  n = 2
  a = 0
  c = 'a'
  do i = 1, 6
    do j = n, 9
      select case (mod(i + j, 5))
      case (3)
        a(i, j) = a(i, 1) + i
      case (4:5)
        if ('b' == c) then
        end if
      end select
    end do
    c = 'b'
  end do
  print *, sum(a), c
end program
