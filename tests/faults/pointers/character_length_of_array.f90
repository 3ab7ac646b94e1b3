! told at 8:15: Unequal character lengths (4/3) in pointer assignment
program fault
  call show(['abc', 'def'])
contains
  subroutine show(names)
    character(*), target :: names(:)
    character(4), pointer :: column(:)
    column => names
    print *, column
  end subroutine
end program
