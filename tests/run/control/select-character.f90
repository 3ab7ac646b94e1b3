! SELECT CASE on characters: blanks at the end do not matter, ranges collate.
program select_character
  implicit none
  character(len=6) :: words(7)
  integer :: i
  words = (/ 'apple ', 'b     ', 'banana', 'cherry', 'zebra ', 'Apple ', '      ' /)
  do i = 1, 7
    select case (words(i))
    case ('apple', 'cherry')
      print *, words(i), ' named'
    case ('b':'c')
      print *, words(i), ' between'
    case ('x':)
      print *, words(i), ' late'
    case (:'A')
      print *, words(i), ' early'
    case default
      print *, words(i), ' other'
    end select
  end do
end program
