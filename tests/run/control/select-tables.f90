! SELECT CASE with many ranges: dense, with gaps, with open ends, at the ends of the kinds
program select_tables
  implicit none
  integer :: i, total
  integer(1) :: small
  integer(8) :: large
  do i = -4, 26
    write (*, '(I4, 2I4)', advance='no') i, dense(i), open_ends(i)
  end do
  print *
  total = 0
  do i = -128, 127
    small = int(i, 1)
    total = total + i*bytes(small)
  end do
  print *, total
  large = huge(large)
  print *, wide(large), wide(large - 7), wide(-large), wide(-large - 1), wide(3000000000_8), wide(2147483647_8 + 2147483653_8)
  print *, low(-huge(0) - 1), low(-huge(0)), low(-huge(0) + 8), low(0), low(huge(0))
contains
  integer function dense(k)
    integer, intent(in) :: k
    dense = 0
    select case (k)
    case (1)
      dense = 10
    case (0)
      dense = 11
    case (2:3)
      dense = 12
    case (4, 9)
      dense = 13
    case (5)
      continue
    case (6)
      dense = 14
    case (7)
      dense = 15
    case (8)
      dense = 16
    case (17:20)
      dense = 17
    case (24)
      dense = 18
    end select
  end function
  integer function open_ends(k)
    integer, intent(in) :: k
    select case (k)
    case (:-2)
      open_ends = 1
    case (-1)
      open_ends = 2
    case (0)
      open_ends = 3
    case (3)
      open_ends = 4
    case (4)
      open_ends = 5
    case (5)
      open_ends = 6
    case (6)
      open_ends = 7
    case (7)
      open_ends = 8
    case (8)
      open_ends = 9
    case (11)
      open_ends = 10
    case default
      open_ends = 99
    case (20:)
      open_ends = 11
    end select
  end function
  integer function bytes(k)
    integer(1), intent(in) :: k
    select case (k)
    case (100)
      bytes = 1
    case (102)
      bytes = 2
    case (104)
      bytes = 3
    case (106)
      bytes = 4
    case (108)
      bytes = 5
    case (110)
      bytes = 6
    case (112)
      bytes = 7
    case (114)
      bytes = 8
    case (120:127)
      bytes = 9
    case default
      bytes = 10
    end select
  end function
  integer function wide(k)
    integer(8), intent(in) :: k
    select case (k)
    case (9223372036854775800_8)
      wide = 1
    case (9223372036854775801_8)
      wide = 2
    case (9223372036854775802_8)
      wide = 3
    case (9223372036854775803_8)
      wide = 4
    case (9223372036854775804_8)
      wide = 5
    case (9223372036854775805_8)
      wide = 6
    case (9223372036854775806_8)
      wide = 7
    case (9223372036854775807_8)
      wide = 8
    case default
      wide = 0
    end select
  end function
  integer function low(k)
    integer, intent(in) :: k
    select case (k)
    case (-2147483647)
      low = 2
    case (-2147483646)
      low = 3
    case (-2147483645)
      low = 4
    case (-2147483644)
      low = 5
    case (-2147483643)
      low = 6
    case (-2147483642)
      low = 7
    case (-2147483641)
      low = 8
    case (-2147483640)
      low = 9
    case (-2147483639)
      low = 10
    case default
      low = 0
    end select
  end function
end program
