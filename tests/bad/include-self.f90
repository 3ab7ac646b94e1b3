! A file that includes itself.
program include_self
  implicit none
  include 'include-self.f90'
end program
