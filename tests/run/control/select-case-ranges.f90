! SELECT CASE with open ranges, characters, logicals, several values in one list, nested, and EXIT from it.
program select_case_ranges
  implicit none
  integer :: i
  character(5) :: w(5) = ['apple', 'kiwi ', 'mango', 'zebra', '     ']
  do i = -3, 12, 3
    select case (i)
    case (:-1)
      print *, i, 'negative'
    case (0)
      print *, i, 'zero'
    case (1:5, 9)
      print *, i, 'small or nine'
    case (10:)
      print *, i, 'large'
    case default
      print *, i, 'other'
    end select
  end do
  do i = 1, 5
    select case (w(i))
    case ('a':'ag', 'kiwi')
      print *, w(i), 1
    case ('m':'n')
      print *, w(i), 2
    case ('')
      print *, 'blank', 3
    case default
      select case (w(i)(1:1) == 'z')
      case (.true.)
        print *, w(i), 4
      case (.false.)
        print *, w(i), 5
      end select
    end select
  end do
  outer: select case (2)
  case (2)
    do i = 1, 5
      if (i == 3) exit outer
    end do
    print *, 'not here'
  end select outer
  print *, i
end program
