! SELECT CASE without a matching block, with EXIT of a loop from a block.
program select_empty
  implicit none
  integer :: i, n
  n = 0
  do i = 1, 10
    select case (mod(i, 5))
    case (1)
    case (2)
      cycle
    case (4)
      n = n + 50
      if (i > 5) exit
    end select
    n = n + 1
  end do
  print *, i, n
  select case (n)
  end select
end program
