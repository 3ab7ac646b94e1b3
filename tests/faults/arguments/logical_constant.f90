! told at 7:7: Dummy argument 'l' is associated with a constant or expression
program fault
  call s(.true.)
contains
    subroutine s(l)
      logical :: l
      l = .false.
    end subroutine
end program
