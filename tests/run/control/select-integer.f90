! SELECT CASE on integers: values, lists, ranges, open ranges, DEFAULT first.
program select_integer
  implicit none
  integer :: i
  do i = -4, 14, 2
    select case (i)
    case default
      print *, i, 'default'
    case (:-3)
      print *, i, 'very small'
    case (0)
      print *, i, 'zero'
    case (2, 6, 8)
      print *, i, 'two, six or eight'
    case (3:5)
      print *, i, 'three to five'
    case (12:)
      print *, i, 'large'
    end select
  end do
end program
