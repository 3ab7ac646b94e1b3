! Block IF with ELSE IF and ELSE, nested and empty branches, named.
program if_block
  implicit none
  integer :: i
  do i = -2, 7
    if (i < 0) then
      print *, i, 'negative'
    else if (i == 0) then
    elseif (i < 3) then
      if (i == 1) then
        print *, i, 'one'
      endif
    else if (i == 5) then
      check: if (i * 2 == 10) then
        print *, i, 'five'
      else check
        print *, i, 'not five'
      end if check
    else
      print *, i, 'other'
    end if
  end do
end program
