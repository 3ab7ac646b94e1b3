! told at 7:14: Unequal character lengths (2/3) in MERGE intrinsic
program fault
  call pick('ab')
contains
  subroutine pick(a)
    character(*), intent(in) :: a
    print *, merge(a, 'xyz', len(a) > 1)
  end subroutine
end program
