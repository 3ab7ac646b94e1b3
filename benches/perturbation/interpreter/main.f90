program vm
  implicit none
  integer :: code(12), pc, acc, n, r, steps
  integer(8) :: total
  code = [1, 5, 2, 7, 3, 4, 1, 9, 6, 8, 2, 0]
  total = 0
  do r = 1, 400000
    pc = 1; acc = mod(r, 17); n = 10
    steps = 0
    do
      steps = steps + 1
      select case (code(pc))
      case (0)
        n = n - 1
        if (n == 0) exit
        pc = 0
      case (1)
        acc = acc + 3
      case (2)
        acc = ieor(acc, 21)
      case (3)
        if (mod(acc, 2) == 0) acc = acc/2
      case (4)
        acc = acc*3
      case (5)
        acc = iand(acc, 1023)
      case (6:7)
        acc = acc - 1
      case (8)
        if (acc < 0) acc = -acc
      case default
        acc = acc + 1
      end select
      pc = pc + 1
    end do
    total = total + acc
  end do
  print *, total
end program
