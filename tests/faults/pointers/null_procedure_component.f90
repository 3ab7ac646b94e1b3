! told at 7:8: Procedure pointer 't%run' is not associated
program fault
  type :: task
    procedure(), pointer, nopass :: run => null()
  end type
  type(task) :: t
  call t%run()
end program
