! told at 10:19: Actual string length is shorter than the declared one for dummy argument 'unit' (1/3)
program fault
  call outer('m')
contains
    subroutine outer(name)
      character(*) :: name
      character(:), allocatable :: copy
      copy = name
      call scaled()
      call scaled(copy)
    end subroutine
    subroutine scaled(unit)
      character(3), optional :: unit
      if (present(unit)) print *, unit
    end subroutine
end program
