! SELECT CASE on integers, characters, logicals; ranges; EXIT from constructs.
program p
  implicit none
  integer :: i
  character(len=8) :: w
  do i = -2, 12, 2
    sel: select case (i)
    case (:-1)
      print *, i, 'negative'
    case (0)
      print *, i, 'zero'
    case (1:3, 7:9)
      if (i == 8) exit sel
      print *, i, 'some'
    case (10:)
      print *, i, 'large'
    case default
      print *, i, 'other'
    end select sel
  end do
  w = 'banana'
  select case (trim(w))
  case ('a':'b')
    print *, 'a to b'
  case ('banana')
    print *, 'exact'
  case ('c':)
    print *, 'later'
  end select
  select case (i > 5)
  case (.true.)
    print *, 'true'
  case (.false.)
    print *, 'false'
  end select
  check: if (i > 0) then
    if (i > 3) exit check
    print *, 'no'
  end if check
end program
