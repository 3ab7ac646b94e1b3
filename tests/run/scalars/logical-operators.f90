! Truth tables of all logical operators; logical kinds mixed.
program logical_operators
  implicit none
  logical :: a, b
  logical(kind=1) :: l1
  logical(kind=8) :: l8
  integer :: i, j
  do i = 0, 1
    do j = 0, 1
      a = i == 1
      b = j == 1
      print *, a, b, a .and. b, a .or. b, a .eqv. b, a .neqv. b, .not. a
    end do
  end do
  l1 = .true.
  l8 = l1 .and. .not. b
  print *, l1, l8, l1 .or. l8, kind(l8), logical(l1, 4), kind(logical(l8, 1))
end program
