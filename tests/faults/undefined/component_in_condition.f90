! told at 13:21: Variable 's%done' is used before it has a value
! flags: -fcheck=undefined
program fault
  type state
    logical :: done
    integer :: steps
  end type
  call run
contains
  subroutine run
    type(state) :: s
    s%steps = 0
    do while (.not. s%done)
      s%steps = s%steps + 1
      s%done = s%steps > 3
    end do
  end subroutine
end program
