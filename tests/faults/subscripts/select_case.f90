! told at 5:18: Index '0' of dimension 1 of array 'a' below lower bound of 1
program fault
  integer :: a(3) = 1, n
  n = 0
  select case (a(n))
  case (1)
    print *, 'one'
  end select
end program
