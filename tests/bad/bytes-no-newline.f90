! The last line has no newline.
program bytes_no_newline
  implicit none
end program other