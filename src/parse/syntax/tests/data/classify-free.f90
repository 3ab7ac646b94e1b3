! No word is reserved.
program class
  implicit none
  integer integer
  real :: real, if(3), do, end, call, then, print, write(3), select
  integer, dimension(3) :: dimension
  character(len=5) character
  logical logical
  integer = 3
  if = 3
  if (1) = 4
  if (integer == 3) if (2) = 5
  if (integer == 3) then = 3
  do = 4
  do integer = 1, 3
  end do
  end = 5
  call = 6
  print = 7
  write(1) = 8
  select = 9
  where: do i = 1, 2
    if: if (i == 1) then
      cycle where
    else if (i == 2) then if
      exit where
    else if
    end if if
  end do where
  do while (i < 3)
  enddo
  do
    exit
  end do
  do, i = 1, 3
  end do
  do 10, i = 1, 3
    do 10 while (j < 3)
      j = j + 1
10 continue
  select case (i)
  case (1)
  case (2:3, 5, :0, 7:)
  case default
  end select
  if (i == 3) 10, 20, 30
  goto 20
  go to 20
20 continue; 30 continue
  call sub
  call sub()
  call sub(1, b=2, *10, &20)
  stop 'x'; stop
end program class
