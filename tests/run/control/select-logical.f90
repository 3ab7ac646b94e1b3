! SELECT CASE on a logical, nested in another, no default, and named.
program select_logical
  implicit none
  logical :: l
  integer :: i
  do i = 1, 3
    l = i > 1
    outer: select case (l)
    case (.true.)
      select case (i)
      case (2)
        print *, 'two'
      end select
    case (.false.)
      print *, 'false'
    end select outer
  end do
end program
